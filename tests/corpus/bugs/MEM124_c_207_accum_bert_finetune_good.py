import argparse
import logging

import torch
from tqdm import tqdm
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup

logger = logging.getLogger(__name__)


def train(args, train_dataloader, model, optimizer, scheduler):
    global_step, tr_loss = 0, 0.0
    for _ in range(int(args.num_train_epochs)):
        for step, batch in enumerate(tqdm(train_dataloader, desc="Iteration")):
            model.train()
            batch = tuple(t.to(args.device) for t in batch)
            outputs = model(input_ids=batch[0], attention_mask=batch[1], labels=batch[2])
            loss = outputs[0]
            if args.gradient_accumulation_steps > 1:
                loss = loss / args.gradient_accumulation_steps
            loss.backward()
            tr_loss += loss.item()
            if (step + 1) % args.gradient_accumulation_steps == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                scheduler.step()
                model.zero_grad()
                global_step += 1
    return global_step, tr_loss / global_step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
    parser.add_argument("--num_train_epochs", type=float, default=3.0)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    args = parser.parse_args()
    args.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to(args.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    loader = torch.load("batches.pt")
    scheduler = get_linear_schedule_with_warmup(optimizer, 0, len(loader))
    logger.info("%s", train(args, loader, model, optimizer, scheduler))


if __name__ == "__main__":
    main()
