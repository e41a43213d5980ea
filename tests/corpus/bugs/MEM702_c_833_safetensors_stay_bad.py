import torch
from safetensors.torch import load_file

weights = load_file("model.safetensors")  #! MEM702
net = torch.nn.Linear(10, 2)
missing = net.load_state_dict(weights, strict=False)
print(missing)
net = net.cuda()
opt = torch.optim.SGD(net.parameters(), 0.01)


def one(x, y):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()


for _ in range(1000):
    one(torch.randn(4, 10).cuda(), torch.zeros(4, dtype=torch.long).cuda())
