from segkit.losses.dice import DiceLoss
from segkit.losses.combined import SegLoss
