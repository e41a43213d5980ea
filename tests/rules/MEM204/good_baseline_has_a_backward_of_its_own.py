# the critic's values need their graph for the critic's loss, and are detached in the actor's

import torch


def update(actor, critic, loader):
    actor_opt, critic_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
    for state, action, gain in loader:
        value = critic(state)
        better = gain - value
        critic_opt.zero_grad()
        better.pow(2).mean().backward()
        critic_opt.step()
        chosen = actor(state).log_softmax(1).gather(1, action)
        actor_opt.zero_grad()
        (-(chosen * better.detach()).mean()).backward()
        actor_opt.step()
