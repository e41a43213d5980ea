# only type checkers read this import

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch.nn.utils.common_utils import count_parameters
print(torch.cuda.memory_allocated())
