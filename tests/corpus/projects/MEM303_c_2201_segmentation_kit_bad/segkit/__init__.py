from segkit.engine import Trainer
from segkit.models import build_model

__all__ = ["Trainer", "build_model"]
