"""Sparse tensors on the simulated GPU."""
