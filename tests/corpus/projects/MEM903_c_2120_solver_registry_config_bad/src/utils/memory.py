import gc
import torch


def free():
    gc.collect()
    torch.cuda.empty_cache()  #= MEM501
