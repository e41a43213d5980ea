"""A network of callers that is called target and judges what the trained one makes: its graph carries the
gradient. What is added to rewards comes from the trained network."""

import torch


def step(attacker, target_model, optimizer, x, rewards):
    gain = rewards + attacker.value(x)
    loss = target_model(attacker(x)).mean() - gain.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
