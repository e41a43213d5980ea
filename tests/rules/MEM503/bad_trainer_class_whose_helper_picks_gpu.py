# trainer class whose helper picks the GPU

import os

import torch


class Runner:
    def __init__(self, net, gpu):
        self.name = torch.cuda.get_device_name(0)
        self.pick(gpu)
        self.net = net.to("cuda")

    def pick(self, gpu):
        os.environ.update({"CUDA_VISIBLE_DEVICES": str(gpu)})  #! MEM503


Runner(torch.nn.Linear(2, 2), 3)
