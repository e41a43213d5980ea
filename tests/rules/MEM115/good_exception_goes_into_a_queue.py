# who takes it out of the queue raises it: it is not kept there


def serve(model, requests, answers):
    for x in iter(requests.get, None):
        try:
            answers.put(model(x.cuda()).cpu())
        except RuntimeError as error:
            answers.put(error)
