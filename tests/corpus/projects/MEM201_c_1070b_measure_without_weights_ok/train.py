import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from helpers import gaussian, SSIM, Levels, evaluate

"""Scores of images on disk: the measure has no weights, so there is no graph."""


print(evaluate(torch.load("pairs.pt", map_location="cpu")))
