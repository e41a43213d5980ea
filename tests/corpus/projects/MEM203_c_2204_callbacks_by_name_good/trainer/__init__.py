from .base import BaseTrainer
from .callbacks import LossHistory, Printer
