"""Devices, ranks, what starts CUDA, and the environment it reads."""
