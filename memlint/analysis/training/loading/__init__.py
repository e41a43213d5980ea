"""Data sets, loaders, their workers, and where batches are moved."""
