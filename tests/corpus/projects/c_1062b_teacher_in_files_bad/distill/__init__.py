from .losses import DistillLoss
