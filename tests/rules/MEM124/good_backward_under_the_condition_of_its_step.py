# the actor's loss runs backward under the very condition under which its optimizer steps

import torch
from torch import nn

actor, critic = nn.Linear(3, 2).cuda(), nn.Linear(2, 1).cuda()
actor_optimizer = torch.optim.Adam(actor.parameters())
critic_optimizer = torch.optim.Adam(critic.parameters())


def update(buffer, rounds):
    for i in range(rounds):
        state, target = buffer.sample()
        critic_optimizer.zero_grad()
        loss = (critic(actor(state).detach()) - target).pow(2).mean()
        loss.backward()
        if (i + 1) % rounds == 0:
            actor_loss = -critic(actor(state)).mean()
            actor_optimizer.zero_grad()
            actor_loss.backward()
        critic_optimizer.step()
        if (i + 1) % rounds == 0:
            actor_optimizer.step()


def update_on_the_other_arm(loader, delay):
    for step, (state, target) in enumerate(loader):
        critic_optimizer.zero_grad()
        loss = (critic(actor(state).detach()) - target).pow(2).mean()
        loss.backward()
        if step % delay:
            print(step)
        else:
            actor_optimizer.zero_grad()
            (-critic(actor(state)).mean()).backward()
        critic_optimizer.step()
        if step % delay:
            continue
        actor_optimizer.step()


def update_late(loader, args):
    for step, (state, target) in enumerate(loader):
        if step > args.warm_up and step % args.delay == 0:
            actor_optimizer.zero_grad()
            (-critic(actor(state)).mean()).backward()
        critic_optimizer.zero_grad()
        loss = (critic(actor(state).detach()) - target).pow(2).mean()
        loss.backward()
        critic_optimizer.step()
        if step > args.warm_up and step % args.delay == 0:
            actor_optimizer.step()
