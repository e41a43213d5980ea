from dataclasses import dataclass


@dataclass
class TrainConfig:
    accumulate: int = 8
    lr: float = 0.1
