/* The alternating bit protocol over channels that lose messages. */
mtype = { message, acknowledge };

chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };
byte sent, received;

active proctype sender() {
  byte data;
  bit number, answer;
  do
  :: to_receiver!message(data, number)
  :: to_sender?acknowledge(answer) ->
     if
     :: answer == number -> number = 1 - number; data = (data + 1) % 4; sent = data
     :: else
     fi
  :: to_receiver?_,_,_          /* a message is lost */
  od
}

active proctype receiver() {
  byte data, expected;
  bit number, last = 1;
  do
  :: to_receiver?message(data, number) ->
     if
     :: number != last ->
        assert(data == expected);
        last = number;
        expected = (expected + 1) % 4;
        received = expected
     :: else
     fi
  :: to_sender!acknowledge(last)
  :: to_sender?_,_              /* an acknowledgement is lost */
  od
}
