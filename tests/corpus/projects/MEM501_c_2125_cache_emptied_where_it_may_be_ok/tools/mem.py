import gc
import torch


def release():
    gc.collect()
    torch.cuda.empty_cache()


def watchdog(step):
    free, total = torch.cuda.mem_get_info()
    if free < 0.05 * total:
        release()
    if step % 1000 == 0:
        torch.cuda.empty_cache()
