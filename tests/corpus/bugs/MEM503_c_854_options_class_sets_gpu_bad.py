import torch
import os

class Options:
    def __init__(self, gpu_ids):
        self.gpu_ids = gpu_ids

    def parse(self):
        print("found", torch.cuda.device_count(), "devices")
        torch.cuda.set_device(self.gpu_ids[0])
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, self.gpu_ids))  #! MEM503
        return self


opt = Options([1, 2]).parse()
