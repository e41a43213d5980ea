"""What happens around an optimizer step: accumulation windows, loss scaling."""
