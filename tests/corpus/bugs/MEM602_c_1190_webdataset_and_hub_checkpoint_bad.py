"""webdataset training resumed from a hub file in every rank."""
import os

import torch
import torch.distributed as dist
import webdataset as wds
from huggingface_hub import hf_hub_download
from torch.nn.parallel import DistributedDataParallel as DDP


def init():
    dist.init_process_group("nccl", device_id=torch.device("cuda", int(os.environ["LOCAL_RANK"])))


class Run:
    def __init__(self, urls):
        init()
        self.net = torch.nn.Linear(512, 10).cuda()  #! MEM602
        state = torch.load(hf_hub_download("me/net", "pytorch_model.bin"))  #! MEM701
        self.net.load_state_dict(state)
        self.ddp = DDP(self.net, gradient_as_bucket_view=True)
        self.opt = torch.optim.SGD(self.ddp.parameters(), 0.1)
        self.data = wds.WebLoader(wds.WebDataset(urls).shuffle(1000).decode().to_tuple("x.pth", "y.cls"), batch_size=64, num_workers=8)

    def fit(self):
        for x, y in self.data:
            self.opt.zero_grad()
            torch.nn.functional.cross_entropy(self.ddp(x.cuda()), y.cuda()).backward()
            self.opt.step()


if __name__ == "__main__":
    Run("a-{000..100}.tar").fit()
