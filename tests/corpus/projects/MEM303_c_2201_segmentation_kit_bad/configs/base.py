from dataclasses import dataclass, field


@dataclass
class OptimConfig:
    name: str = "AdamW"
    lr: float = 3e-4
    weight_decay: float = 0.01
    accumulate: int = 4
    clip: float = 1.0


@dataclass
class Config:
    epochs: int = 60
    device: str = "cuda"
    batch_size: int = 16
    amp: bool = True
    optim: OptimConfig = field(default_factory=OptimConfig)
