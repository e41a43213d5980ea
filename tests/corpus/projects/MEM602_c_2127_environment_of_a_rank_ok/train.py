import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from dist_utils import DistEnv

env = DistEnv()
net = DDP(torch.nn.Linear(3, 3).to(env.device), device_ids=[env.local_rank], gradient_as_bucket_view=True)
opt = torch.optim.SGD(net.parameters(), 0.1)
net.module.load_state_dict(torch.load("i.pt", map_location=env.device))
for i, x in enumerate(torch.randn(10, 4, 3)):
    opt.zero_grad()
    net(x.to(env.device)).mean().backward()
    opt.step()
