import deepspeed
import torch


def train(model, dataset, args):
    engine, optimizer, loader, _ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters(), training_data=dataset)
    for epoch in range(args.epochs):
        for step, (x, y) in enumerate(loader):
            x, y = x.to(engine.local_rank), y.to(engine.local_rank)
            loss = torch.nn.functional.cross_entropy(engine(x), y)
            engine.backward(loss)
            engine.step()
            if step % 10 == 0:
                print(epoch, step, loss.item())
