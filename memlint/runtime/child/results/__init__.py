"""Questions about results: gradients, scaling, values that change."""
