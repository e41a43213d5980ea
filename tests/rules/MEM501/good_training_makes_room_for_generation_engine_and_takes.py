# training makes room for the generation engine, and takes it back, in every round

import torch


def rounds(policy, engine, optimizer, prompts):
    for prompt in prompts:
        policy.to("cpu")
        torch.cuda.empty_cache()
        engine.wake_up()
        answers = engine.generate(prompt)
        engine.sleep(level=1)
        policy.to("cuda")
        loss = policy(answers).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
