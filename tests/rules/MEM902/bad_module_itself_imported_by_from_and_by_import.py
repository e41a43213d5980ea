# the module itself, imported by from and by import

import torch
import torch.nn.utils.common_utils  #! MEM902
from torch.nn.utils import common_utils  #! MEM902

net = torch.nn.Linear(2, 2)
