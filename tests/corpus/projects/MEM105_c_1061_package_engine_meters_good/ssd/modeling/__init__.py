from .box_loss import MultiBoxLoss
from .net import SSDHead
