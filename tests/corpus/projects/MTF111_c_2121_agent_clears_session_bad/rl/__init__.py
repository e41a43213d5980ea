from .agent import DQNAgent
from .memory import ReplayMemory
