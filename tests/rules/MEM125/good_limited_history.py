# a limited history

import torch

torch.cuda.memory._record_memory_history(max_entries=100_000)
net = torch.nn.Linear(8, 1).cuda()
net(torch.randn(4, 8, device="cuda")).mean().backward()
torch.cuda.memory._dump_snapshot("snapshot.pickle")
