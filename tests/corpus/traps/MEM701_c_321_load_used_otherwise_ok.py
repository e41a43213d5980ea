import copy

import torch

net = torch.nn.Linear(4, 4)
teacher = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)

anchor = torch.load("pretrained.pt")  # used in every step: the distance to the start
net.load_state_dict(anchor)
whole = torch.load("teacher.pkl", weights_only=False)  # a pickled module, called in the loop
teacher = whole
vocab = torch.load("vocab.pt")
size = len(vocab)


def resume(path, model):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    return state["step"]


step = resume("run.pt", net)
for x in torch.randn(6, 2, 4):
    opt.zero_grad()
    drift = sum((p - anchor[name]).pow(2).sum() for name, p in net.named_parameters())
    with torch.no_grad():
        goal = teacher(x)
    loss = (net(x) - goal).pow(2).mean() + 0.01 * drift
    loss.backward()
    opt.step()
    best = copy.deepcopy(net.state_dict())
print(size, step, vocab, len(best))
