import torch
import torch.nn as nn
from transformers import BertForSequenceClassification, get_linear_schedule_with_warmup


def train(args, model, train_dataloader, optimizer, scheduler):
    global_step = 0
    tr_loss = 0.0
    model.zero_grad()
    for epoch in range(int(args.num_train_epochs)):
        for step, batch in enumerate(train_dataloader):
            model.train()
            batch = tuple(t.to(args.device) for t in batch)
            outputs = model(input_ids=batch[0], attention_mask=batch[1], labels=batch[3])
            loss = outputs[0]
            if args.gradient_accumulation_steps > 1:
                loss = loss / args.gradient_accumulation_steps
            loss.backward()  #! MEM121
            tr_loss += loss.item()
            if (step + 1) % args.gradient_accumulation_steps == 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                scheduler.step()
                global_step += 1
                if args.logging_steps > 0 and global_step % args.logging_steps == 0:
                    print("step", global_step, "loss", tr_loss / global_step)
    return global_step, tr_loss / global_step
