"""What estimators of memory say about eight models, beside the bytes of their tensors."""
