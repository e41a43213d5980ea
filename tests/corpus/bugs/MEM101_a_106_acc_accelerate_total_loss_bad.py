import torch
from accelerate import Accelerator
from transformers import get_scheduler


def main(args, model, optimizer, train_dataloader, eval_dataloader):
    accelerator = Accelerator(gradient_accumulation_steps=args.accum)
    lr_scheduler = get_scheduler("linear", optimizer, num_warmup_steps=0, num_training_steps=args.max_steps)
    model, optimizer, train_dataloader, eval_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader, lr_scheduler)
    for epoch in range(args.epochs):
        model.train()
        total_loss = 0
        for step, batch in enumerate(train_dataloader):
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                total_loss += loss  #! MEM101
                accelerator.backward(loss)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
        model.eval()
        losses = []
        for step, batch in enumerate(eval_dataloader):
            with torch.no_grad():
                outputs = model(**batch)
            losses.append(accelerator.gather_for_metrics(outputs.loss.repeat(args.eval_bs)))
        accelerator.print(epoch, float(total_loss) / len(train_dataloader), torch.cat(losses).mean().item())
