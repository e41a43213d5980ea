from dataclasses import dataclass


@dataclass
class Config:
    lr: float = 1e-3
    epochs: int = 30
    accum_steps: int = 4
    device: str = "cuda"
    grad_clip: float = 5.0
