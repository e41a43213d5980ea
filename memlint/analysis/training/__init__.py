"""The shape of a training script: its loops, what it retains, its gradients, its evaluation."""
