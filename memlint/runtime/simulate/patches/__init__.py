"""What makes torch take tensors without memory for tensors on a GPU."""
