from .meter import MeterGroup
from .logging import get_logger
