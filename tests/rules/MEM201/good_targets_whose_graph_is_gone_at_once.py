# what the statement itself detaches leaves no graph; a result that is detached for one use may train by another

import torch
import torch.nn.functional as F
from data import replay
from torch import nn

net = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2)).cuda()
opt = torch.optim.Adam(net.parameters())


def step(loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


for state, action, reward, after in replay:
    best = net(after.cuda()).max(1)[0].detach()
    step(F.mse_loss(net(state.cuda()).gather(1, action.cuda()), reward.cuda() + best[:, None]))
for state, action, reward, after in replay:
    later = net(after.cuda())
    later = later.detach()
    loss = F.mse_loss(net(state.cuda()), later)
    opt.zero_grad()
    loss.backward()
    opt.step()
for state, action, reward, after in replay:
    values = net(state.cuda())
    gain = reward.cuda() - values.detach()
    loss = (values * gain).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
for state, action, reward, after in replay:
    wanted = torch.softmax(net(after.cuda()) / 0.5, -1)
    loss = F.mse_loss(net(state.cuda()).softmax(-1), wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
critic = nn.Linear(2, 1).cuda()
opt_critic = torch.optim.Adam(critic.parameters())
for state, action, reward, after in replay:
    made = net(state.cuda())
    loss = F.softplus(critic(made.detach())).mean()
    opt_critic.zero_grad()
    loss.backward()
    opt_critic.step()
