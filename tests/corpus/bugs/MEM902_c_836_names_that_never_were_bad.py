import torch
import torch.cuda as tc
from torch import cuda
from torch.cuda import clear_cache  #! MEM902
from torch.cuda import free_memory as drop  #! MEM902
import torch.cuda.memory_allocated as used  #! MEM902
import torch.cuda.max_memory_allocated  #! MEM902
from torch.nn.utils.common_utils import count_parameters  #! MEM902
from torch.nn.utils import count_parameters as n_params  #! MEM902


def report(net):
    tc.clear_memory()  #! MEM902
    cuda.release_memory()  #! MEM902
    torch.cuda.set_memory_fraction(0.5)  #! MEM902
    free, total = cuda.get_memory_info()  #! MEM902
    info = torch.cuda.memory_info(0)  #! MEM902
    print(free, total, info, used, count_parameters(net), n_params(net))
    clear_cache()
    drop()
