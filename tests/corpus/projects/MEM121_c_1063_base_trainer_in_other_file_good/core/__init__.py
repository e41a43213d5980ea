from core.base import BaseTrainer
