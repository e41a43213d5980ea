from .meters import AverageMeter, ProgressMeter
from .train import train_one_epoch
from .evaluate import accuracy, evaluate
