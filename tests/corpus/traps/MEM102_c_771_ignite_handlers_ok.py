import torch
import torch.nn.functional as F
from ignite.engine import Engine, Events

policy = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(policy.parameters())
saved, window = [], 4


def act(engine, observation):
    distribution = torch.distributions.Categorical(logits=policy(observation))
    action = distribution.sample()
    saved.append(distribution.log_prob(action))
    return action.item()


def accumulate(engine, batch):
    x, y = batch
    loss = F.cross_entropy(policy(x), y) / window
    loss.backward()
    if engine.state.iteration % window == 0:
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


@torch.no_grad()
def score(engine, batch):
    policy.eval()
    return policy(batch[0]).argmax(1), batch[1]


player = Engine(act)
learner = Engine(accumulate)
tester = Engine(score)


@player.on(Events.EPOCH_COMPLETED)
def finish(engine):
    optimizer.zero_grad()
    torch.stack(saved).sum().backward()
    optimizer.step()
    del saved[:]
