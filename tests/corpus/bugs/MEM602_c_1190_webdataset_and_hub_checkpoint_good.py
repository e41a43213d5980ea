import os

import torch
import torch.distributed as dist
import webdataset as wds
from huggingface_hub import hf_hub_download
from torch.nn.parallel import DistributedDataParallel as DDP


class Run:
    def __init__(self, urls):
        local = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(local)
        dist.init_process_group("nccl", device_id=torch.device("cuda", local))
        self.net = torch.nn.Linear(512, 10)
        self.net.load_state_dict(torch.load(hf_hub_download("me/net", "pytorch_model.bin"), map_location="cpu"))
        self.ddp = DDP(self.net.cuda(), gradient_as_bucket_view=True)
        self.opt = torch.optim.SGD(self.ddp.parameters(), 0.1)
        self.data = wds.WebLoader(wds.WebDataset(urls).shuffle(1000).decode().to_tuple("x.pth", "y.cls"), batch_size=64, num_workers=8)

    def fit(self):
        for x, y in self.data:
            self.opt.zero_grad()
            torch.nn.functional.cross_entropy(self.ddp(x.cuda()), y.cuda()).backward()
            self.opt.step()


if __name__ == "__main__":
    Run("a-{000..100}.tar").fit()
