"""What kernels work in: those of torch itself, cuDNN's convolutions, and workspaces of cuBLAS."""
