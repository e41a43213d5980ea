# in a function that nobody here calls, a name is advice, a network in evaluation mode and a loader are errors

import torch


def evaluate(judge_model, questions):
    good = 0
    for question in questions:
        verdict = judge_model(torch.tensor(question.words))  #! MEM201 advice
        good += float(verdict.score) > 0.5
    return good / len(questions)


def evaluate_at_rest(model, questions):
    model.eval()
    good = 0
    for question in questions:
        good += model(torch.tensor(question.words)).argmax().item()  #! MEM201 error
    return good / len(questions)


def evaluate_batches(model, test_loader):
    good = 0
    for words, answer in test_loader:
        good += (model(words).argmax(-1) == answer).sum().item()  #! MEM201 error
    return good
