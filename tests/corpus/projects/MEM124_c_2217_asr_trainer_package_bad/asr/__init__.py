from .config import Config
from .model import SpeechModel
from .trainer import ASRTrainer
