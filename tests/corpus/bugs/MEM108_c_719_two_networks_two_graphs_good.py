import torch
import torch.nn.functional as F


def train_actor_critic(actor, critic, batches, lr=3e-4):
    """The critic's graph and the actor's graph share nothing that is differentiated twice."""
    opt_a = torch.optim.Adam(actor.parameters(), lr)
    opt_c = torch.optim.Adam(critic.parameters(), lr)
    for obs, act, ret in batches:
        value = critic(obs).squeeze(-1)
        critic_loss = F.mse_loss(value, ret)
        opt_c.zero_grad()
        critic_loss.backward()
        opt_c.step()

        adv = (ret - value).detach()
        logp = torch.log_softmax(actor(obs), -1).gather(1, act[:, None]).squeeze(1)
        actor_loss = -(logp * adv).mean()
        opt_a.zero_grad()
        actor_loss.backward()
        opt_a.step()
