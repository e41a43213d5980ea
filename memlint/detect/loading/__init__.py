"""MEM4xx: data sets, loaders, workers, copies to the device."""
