import torch
from torch import nn
from tqdm import tqdm


def fit(model, loader, optimizer, scheduler, args):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    global_step = 0
    for epoch in range(args.num_epochs):
        model.train()
        for step, (x, y) in enumerate(tqdm(loader)):
            optimizer.zero_grad()  #! MEM124
            loss = criterion(model(x.to(args.device)), y.to(args.device))
            loss = loss / args.gradient_accumulation_steps
            loss.backward()
            if (step + 1) % args.gradient_accumulation_steps == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                scheduler.step()
                global_step += 1
    return global_step
