import torch
from loops import fit
from ck import Checkpointer

net = torch.nn.Linear(3, 3).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
ck = Checkpointer("runs", net, opt)
start = ck.resume()
fit(net, opt, ck, start)
