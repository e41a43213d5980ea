import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer
from args import get_args
from metrics import compute_metrics
from trainer import WeightedTrainer
from data import load


def main():
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=2)
    tok = AutoTokenizer.from_pretrained("bert-base-uncased")
    train, val = load(tok)
    t = WeightedTrainer(model=model, args=get_args("out"), train_dataset=train, eval_dataset=val, compute_metrics=compute_metrics)
    t.train()
    t.evaluate()


if __name__ == "__main__":
    main()
